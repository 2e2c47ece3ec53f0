import { type BlockFile, readBlockFile } from '../../src/replay-blocks/block-file.js'
import { sharedFiles, sharedPath } from '../conformance/shared-data.js'

const FOLDER = 'real-blocks'

/** The names of all blocks, as in `24628607` and `op-132799000`. */
export const blockNames = (): string[] => sharedFiles(FOLDER).map((file) => file.replace('.json.gz', ''))

export const readBlock = (name: string): BlockFile => readBlockFile(sharedPath(FOLDER, `${name}.json.gz`))
