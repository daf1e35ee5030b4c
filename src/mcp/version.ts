// By name, so that nothing else of the manifest ends up in the bundle.
export { version } from '../../package.json';
