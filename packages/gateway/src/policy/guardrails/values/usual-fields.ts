import { anyDepth, type FieldPath, foldKey } from '../../../protocol/field-path.ts'

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

/** How names of fields for links end. A `subdomain`, a `symlink`, a `curl` and a `stashRef` are something else. */
const ENDING =
  '(?:(?<!^c|[^a-z]c)url|uri|(?<!stas|branc|pus|has|patc|batc|matc|searc|fetc)href|(?<!sym|un)link|webhook|endpoint|(?<!sub)domain|host)'
const ONE = new RegExp(`${ENDING}$`)
const SEVERAL = new RegExp(`${ENDING}s$`)

/** `url`, `callbackUrl`, `redirect_uri`, with all that an object there holds. */
export const LINK_FIELDS = anyDepth({ has: name => ONE.test(name) })

/** `urls`, `image_links`. Objects there hold other things, too, and their links by name: `links: [{ title, href }]`. */
export const LINK_LISTS = withoutObjects(anyDepth({ has: name => SEVERAL.test(name) }))

/** Both, without what objects there hold. */
export const HOST_FIELDS = withoutObjects(anyDepth({ has: name => ONE.test(name) || SEVERAL.test(name) }))

function withoutObjects(fields: readonly FieldPath[]): readonly FieldPath[] {
  return fields.map(({ source, steps }) => ({ source, steps: [...steps, { kind: 'scalars' }] }))
}

/** `callback_url` and `urls[*]` hold links. Any other field may hold recipients. */
export function isForLinks({ source }: FieldPath): boolean {
  const name = foldKey(source.replace(/(?:\[[^\]]*\])+$/, ''))
  return ONE.test(name) || SEVERAL.test(name)
}
