import { createHash } from 'node:crypto'
import { escapeHtml } from '../message/escape-html.ts'
import { type Line, linesOf, type Message, titleOf } from '../message/message.ts'

const STYLE =
  'body{font:1rem/1.5 system-ui,sans-serif;max-width:42rem;margin:2rem auto;padding:0 1rem}' +
  'dt{font-weight:600;margin-top:.6rem}dd{margin:0;overflow-wrap:anywhere;white-space:pre-wrap}' +
  '.quoted{border-left:.25rem solid #b45309;padding-left:.6rem}' +
  'button{font:inherit;padding:.5rem 1.2rem;margin:1.2rem .6rem 0 0}'

/**
 * A content security policy that allows no scripts and nothing from other sites. It also forbids frames, because a page
 * around this one could hide what is clicked.
 */
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

export const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': POLICY,
  'cache-control': 'no-store',
  'cross-origin-opener-policy': 'same-origin',
  // Other sites must not learn the page's address. `no-referrer` would go too far, because browsers would then also
  // leave out the form's origin.
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
} as const

/** Returns the page that shows an approval with its two buttons. Opening the page changes nothing. */
export function writeQuestionPage(message: Message, person: string): string {
  return page(
    titleOf(message),
    `<dl>${linesOf(message).map(writeLine).join('')}</dl>
<form method="post"><button name="decision" value="approve">Approve</button><button name="decision" value="deny">Deny</button></form>
<p>You are answering as ${escapeHtml(person)}. Your answer will be recorded.</p>`,
  )
}

export function writeTextPage(title: string, text: string): string {
  return page(title, `<p>${escapeHtml(text)}</p>`)
}

function writeLine({ label, text, isUntrusted }: Line): string {
  return `<dt>${escapeHtml(label)}</dt><dd${isUntrusted ? ' class="quoted"' : ''}>${escapeHtml(text)}</dd>`
}

function page(title: string, body: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Hintgate: a call is waiting for approval</title><style>${STYLE}</style></head>
<body><h1>${escapeHtml(title)}</h1>${body}</body></html>
`
}
