import { onBothDatabases } from '../../test/stores-of.js'
import { outcomeStoreConformance } from './outcome-store.conformance.js'
import { createSqlOutcomeStore } from './sql-outcome-store.js'

await onBothDatabases('assay-outcomes', (db) => createSqlOutcomeStore(db), outcomeStoreConformance)
