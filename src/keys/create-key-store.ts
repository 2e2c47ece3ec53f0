import type { Config } from '../config.js'
import { openDatabase } from './database.js'
import { type KeyStore, KeyStoreError } from './key-store.js'
import { createSqlKeyStore } from './sql-key-store.js'

/** The key store that the operator configured, with its tables up to date. */
export async function createKeyStore(config: Pick<Config, 'databaseUrl' | 'dataDir'>): Promise<KeyStore> {
  try {
    return createSqlKeyStore(await openDatabase(config))
  } catch (error) {
    throw new KeyStoreError('open', error)
  }
}
