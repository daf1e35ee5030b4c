/** Which tools a model gets, under which names: what every host asks for. */
export {
  absentNames,
  exposedTools,
  type ExposedServer,
  type ExposedTools,
  type ExposedToolsOptions,
} from './exposed-tools.js';
export { isSelected, type ToolFilter, type ToolSelection } from './selection.js';
