import { ContactStoreError } from './contact-store.js'

/** Fails as the store says that it does. */
export async function guardContacts<T>(operation: string, job: () => Promise<T>): Promise<T> {
  try {
    return await job()
  } catch (error) {
    throw new ContactStoreError(operation, error)
  }
}
