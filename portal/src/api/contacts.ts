import type { Static } from 'typebox'
import type { ContactKind } from '../../../src/contacts/contact.js'
import type { ContactAnswer } from '../../../src/http/routes/contacts/schema.js'
import { ask } from './api-client.js'

export type Contact = Omit<Static<typeof ContactAnswer>['contact'], 'kind'> & { kind: ContactKind }

/** The people that a key has told of alerts. */
export const contactsOf = (apiKey: string) => ({
  list: () => ask<{ ways: ContactKind[]; contacts: Contact[] }>('GET', '/api/contacts', undefined, apiKey),
  order: (kind: Contact['kind'], address?: string) =>
    ask<{ contact: Contact; link: string | null }>('POST', '/api/contacts', { kind, address }, apiKey),
  end: (id: string) => ask('DELETE', `/api/contacts/${encodeURIComponent(id)}`, undefined, apiKey),
})
