// npm run screenshots: drives the editor of a real n8n and takes the pictures of the documentation.
import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { startOAuthServer } from '../test/servers/oauth.js';
import { openEditor } from './editor/editor.js';
import { takePictures } from './editor/pictures.js';
import { askAgent } from './editor/steps/askAgent.js';
import { callTool } from './editor/steps/callTool.js';
import { listTools } from './editor/steps/listTools.js';
import { runAgents } from './editor/steps/runAgents.js';
import type { Scene } from './editor/steps/scene.js';
import { signIn } from './editor/steps/signIn.js';
import { startProgram } from './editor/steps/startProgram.js';
import { freePort } from './freePort.js';
import { raiseStage } from './stage.js';
import { showProgress } from './terminal/progress.js';

const folder = fileURLToPath(new URL('../docs/images', import.meta.url));

main().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);

async function main(): Promise<void> {
  await mkdir(folder, { recursive: true });
  const progress = showProgress();
  await using stage = await raiseStage(progress);
  await using editor = await openEditor(stage.n8n.url);
  const protectedServer = await startOAuthServer();
  const scene: Scene = { editor, stage, protectedServer, look: takePictures(editor.page, folder) };
  progress('Listing tools');
  await listTools(scene, `http://127.0.0.1:${await freePort()}/mcp`);
  progress('Calling a tool');
  await callTool(scene);
  progress('Asking an agent');
  await askAgent(scene);
  progress('Signing in');
  await signIn(scene);
  progress('Starting a server');
  await startProgram(scene);
  progress('Running two agents side by side');
  await runAgents(scene);
  await protectedServer.close();
  progress.done();
}
