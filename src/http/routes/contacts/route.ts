import type { RouteOptions } from 'fastify'
import { ApiError, type ApiErrorCode } from '../../../api-error.js'
import { maskAddress } from '../../../contacts/contact.js'
import type { ContactStatus, OrderRefusal } from '../../../contacts/create-contacts.js'
import { MailFailure } from '../../../contacts/send-mail.js'
import { TelegramError } from '../../../contacts/telegram-api.js'
import { toIsoTime } from '../../../reports/fields/block.js'
import { parseFields } from '../../../reports/parse-analysis-request.js'
import { COMMON_FAILURES, failureSchemas } from '../../failure-schema.js'
import { keyOf } from '../../route-config.js'
import type { Services } from '../../services.js'
import { ContactAnswer, ContactList, ContactParams, ContactRemoved, ContactRequestBody } from './schema.js'

/** `/api/contacts`: people who are told of what a key's watches find, once they have said yes. */
export function contactRoutes({ contacts }: Pick<Services, 'contacts'>): RouteOptions[] {
  return [
    {
      method: 'GET',
      url: '/api/contacts',
      config: { access: 'key' },
      schema: {
        operationId: 'listContacts',
        summary: 'Contacts of the key, and by what ways there can be some',
        response: { 200: ContactList, ...failureSchemas([...COMMON_FAILURES, 'server_error']) },
      },
      handler: async (request) => ({
        success: true,
        ways: [...contacts.ways],
        contacts: (await contacts.list(keyOf(request).id)).map(toBody),
      }),
    },
    {
      method: 'POST',
      url: '/api/contacts',
      config: { access: 'key' },
      schema: {
        operationId: 'orderContact',
        summary: 'Ask a receiver whether it wants to be told',
        body: ContactRequestBody,
        response: {
          201: ContactAnswer,
          ...failureSchemas([
            ...COMMON_FAILURES,
            'server_error',
            ...Object.values(REFUSALS).map(({ code }) => code),
            'contact_unavailable',
          ]),
        },
      },
      handler: async (request, reply) => {
        const fields = parseFields(request.body)
        const [kind, address] = [fields.get('kind'), fields.get('address')]
        const order = {
          keyId: keyOf(request).id,
          kind: String(kind),
          address: typeof address === 'string' ? address.trim() : undefined,
        }
        const ordered = await contacts.order(order).catch((error: unknown) => {
          const isTheirs = error instanceof MailFailure || error instanceof TelegramError
          throw isTheirs
            ? new ApiError('contact_unavailable', { cause: error, headers: { 'retry-after': '60' } })
            : error
        })
        if (typeof ordered === 'string') throw refuse(ordered)
        const { contact, link } = ordered
        const record = { delivered: 0, waiting: 0, failure: undefined }
        return reply.code(201).send({ success: true, contact: toBody({ contact, record }), link: link ?? null })
      },
    },
    {
      method: 'DELETE',
      url: '/api/contacts/:id',
      config: { access: 'key' },
      schema: {
        operationId: 'endContact',
        summary: 'End a contact',
        params: ContactParams,
        response: { 200: ContactRemoved, ...failureSchemas([...COMMON_FAILURES, 'server_error', 'contact_not_found']) },
      },
      handler: async (request) => {
        const { id } = request.params as { id: string }
        if (!(await contacts.remove(id, keyOf(request).id))) throw new ApiError('contact_not_found')
        return { success: true, id }
      },
    },
  ]
}

/** What a refusal is called, and when another try is worth it. */
const REFUSALS = {
  'unknown-way': { code: 'contact_way_unknown' },
  'no-address': { code: 'invalid_contact' },
  contacts: { code: 'contact_limit', retryAfter: '3600' },
  asks: { code: 'contact_ask_limit', retryAfter: '3600' },
  receiver: { code: 'receiver_limit', retryAfter: '86400' },
} as const satisfies Record<OrderRefusal, { code: ApiErrorCode; retryAfter?: string }>

function refuse(refusal: OrderRefusal): ApiError {
  const { code, retryAfter }: { code: ApiErrorCode; retryAfter?: string } = REFUSALS[refusal]
  return new ApiError(code, retryAfter === undefined ? {} : { headers: { 'retry-after': retryAfter } })
}

const toBody = ({ contact, record }: ContactStatus) => ({
  id: contact.id,
  kind: contact.kind,
  address: maskAddress(contact) ?? null,
  isConfirmed: contact.isConfirmed,
  delivered: record.delivered,
  waiting: record.waiting,
  failure: record.failure ?? null,
  createdAt: toIsoTime(contact.createdAt),
})
