import type { OAuthServer } from '../../servers/oauth.js';
import type { Stage } from '../../stage.js';
import type { Editor } from '../editor.js';
import type { Look } from '../pictures.js';

/** What the steps play with. They follow one another in one editor: the later ones need the credential of the first. */
export interface Scene {
  editor: Editor;
  stage: Stage;
  /** A server that wants its users to sign in. */
  protectedServer: OAuthServer;
  look: Look;
}
