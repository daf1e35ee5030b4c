/** How the APIs of models' providers write tools, calls and answers. */
export {
  callsIn,
  type Format,
  type FormatName,
  formatOf,
  type ModelCall,
  type SentTool,
  sentTools,
  toolsText,
} from './formats.js';
export { answersCall, played } from './play.js';
