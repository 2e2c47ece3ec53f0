// Lets a worker thread run the TypeScript source. Compiled, `worker.js` is run directly and this
// file does not exist.
import { importWorker } from '../../simulation/import-source.mjs'

export default await importWorker(new URL('./svm-worker.ts', import.meta.url).href)
