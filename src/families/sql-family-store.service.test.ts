import { onBothDatabases } from '../../test/stores-of.js'
import { familyStoreConformance } from './family-store.conformance.js'
import { createSqlFamilyStore } from './sql-family-store.js'

await onBothDatabases('assay-families', createSqlFamilyStore, familyStoreConformance)
