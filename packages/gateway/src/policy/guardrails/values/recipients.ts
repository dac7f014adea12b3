import { anyDepth } from '../../../protocol/field-path.ts'

const FIELDS = ['to', 'cc', 'bcc', 'recipient', 'recipients', 'attendee', 'attendees', 'invitee', 'invitees']
const ALONE = ['share_with', 'send_to', 'forward_to', 'email_to', 'email_cc', 'email_bcc', 'mail_to']
const ENDINGS = [
  'email',
  'emails',
  'email_address',
  'email_addresses',
  'address',
  'addresses',
  'recipients',
  'list',
]

/** Where tools keep whom they write to: `to`, `cc_emails`, `attendeeEmailAddresses`, `bccList`. */
export const RECIPIENT_FIELDS = anyDepth([
  ...FIELDS,
  ...ENDINGS.filter(ending => ending.includes('email')),
  ...ALONE,
  ...FIELDS.flatMap(field => ENDINGS.map(ending => `${field}_${ending}`)),
])
