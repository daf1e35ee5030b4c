import type { IExecuteFunctions } from 'n8n-workflow';
import { isObject } from '../../src/json/index.js';
import { hostModule } from './modules.js';

/**
 * Whether an agent goes on at once after an error in this node. In n8n 2.41 it does unless the node says otherwise
 * (workflow-execute.js, `aiToolDefaultsToContinue`), or is to be tried again first; in 2.0 and before such an error ends
 * the execution.
 */
export function goesOnAfterErrors(context: IExecuteFunctions): boolean {
  const { onError, retryOnFail } = context.getNode();
  const mayGoOn = onError === undefined || onError === 'continueRegularOutput';
  return mayGoOn && retryOnFail !== true && (doesByDefault ??= isKnownToGoOn());
}

let doesByDefault: boolean | undefined;

function isKnownToGoOn(): boolean {
  const manifest = hostModule('n8n-core/package.json');
  const version = isObject(manifest) ? String(manifest['version']) : '';
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > 2 || (major === 2 && minor >= 41);
}
