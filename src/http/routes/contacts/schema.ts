import { Type } from 'typebox'
import { CONTACT_KINDS } from '../../../contacts/contact.js'

const kind = Type.Union(CONTACT_KINDS.map((each) => Type.Literal(each)))
const orNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description })

export const ContactRequestBody = Type.Object({
  kind,
  address: Type.Optional(Type.String({ description: 'Of `email`: one plain address.' })),
})

export const ContactBody = Type.Object({
  id: Type.String({ description: 'For `contacts` of `POST /api/watches`.' }),
  kind,
  address: orNull('A mailbox, without most of its name.'),
  isConfirmed: Type.Boolean({ description: 'Nothing is told before the receiver has said yes.' }),
  delivered: Type.Integer({ description: 'Alerts of the last fourteen days that were told.' }),
  waiting: Type.Integer({ description: 'Alerts that are still to be told.' }),
  failure: orNull('Why the newest alert that was given up could not be told.'),
  createdAt: Type.String({ description: 'ISO 8601.' }),
})

export const ContactAnswer = Type.Object({
  success: Type.Literal(true),
  contact: ContactBody,
  link: orNull('Of Telegram: the receiver opens it and presses Start. Of e-mail the link is in the mail.'),
})

export const ContactList = Type.Object({
  success: Type.Literal(true),
  ways: Type.Array(kind, { description: 'What this service can tell by.' }),
  contacts: Type.Array(ContactBody, { description: 'Newest first, at most ten.' }),
})

export const ContactRemoved = Type.Object({ success: Type.Literal(true), id: Type.String() })

export const ContactParams = Type.Object({ id: Type.String({ description: 'What `POST /api/contacts` gave.' }) })
