import type { Config } from '../config.js'
import { type Db, openDatabase } from '../stores/database.js'
import { type KeyStore, KeyStoreError } from './key-store.js'
import { createSqlKeyStore } from './sql-key-store.js'

type StoreConfig = Pick<Config, 'databaseUrl' | 'dataDir'>

/** The key store that the operator configured, with its tables up to date. */
export async function createKeyStore(config: StoreConfig): Promise<KeyStore> {
  return (await openStores(config)).keyStore
}

/**
 * The same with the database below it, for what else lives there. Closing the key store closes
 * both.
 */
export async function openStores(config: StoreConfig): Promise<{ db: Db; keyStore: KeyStore }> {
  try {
    const db = await openDatabase(config)
    return { db, keyStore: createSqlKeyStore(db) }
  } catch (error) {
    throw new KeyStoreError('open', error)
  }
}
