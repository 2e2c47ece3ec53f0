import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'

/**
 * A text in a tenth of its size, as results are stored. Made in threads: a report of a megabyte
 * would hold up everyone else.
 */
export const packText = (text: string): Promise<Buffer> => promisify(gzip)(text)

export const unpackText = async (bytes: Uint8Array): Promise<string> => String(await promisify(gunzip)(bytes))
