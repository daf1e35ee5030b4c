/** Which tools a model gets, under which names: what every host asks for. */
export * from './exposed-tools.js';
