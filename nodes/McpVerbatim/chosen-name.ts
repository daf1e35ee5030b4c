import type { ILoadOptionsFunctions } from 'n8n-workflow';

/** What is chosen in the panel; '' where nothing is, or by an expression that has no value before the node runs. */
export function chosenName(context: ILoadOptionsFunctions, parameter: string): string {
  try {
    return String(context.getNodeParameter(parameter, '', { extractValue: true }) ?? '').trim();
  } catch {
    return ''; // n8n's refusal to evaluate the expression
  }
}
