import { anyDepth } from './field-path.ts'

/** Where tools keep whom they write to. */
export const RECIPIENT_FIELDS = anyDepth([
  'to',
  'cc',
  'bcc',
  'recipient',
  'recipients',
  'to_recipients',
  'toRecipients',
  'ccRecipients',
  'bccRecipients',
  'attendees',
  'invitees',
  'email',
  'emails',
  'email_address',
  'emailAddress',
  'share_with',
  'shareWith',
])
