import type { OAuthServer } from '../../servers/oauth.js';
import type { Stage } from '../../stage.js';
import type { Editor } from '../editor.js';
import type { Look } from '../pictures.js';

/**
 * The resources that the steps share. The steps run in order in one editor: later ones need the first one's credential.
 */
export interface Scene {
  editor: Editor;
  stage: Stage;
  /** A server that requires a sign-in. */
  protectedServer: OAuthServer;
  look: Look;
}
