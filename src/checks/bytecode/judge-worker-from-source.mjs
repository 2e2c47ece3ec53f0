// Lets a worker thread run the TypeScript source. Compiled, `worker.js` is run directly and this
// file does not exist.
import { register } from 'tsx/esm/api'

register()
export default (await import('./judge-worker.ts')).default
