// The negative control: drops the fields that a careless gateway would drop. A comparison that does not detect this
// proves nothing.
import { Transform } from 'node:stream'

const LOST = new Set(['_meta', 'structuredContent', 'ttlMs', 'cacheScope', 'icons', 'annotations'])
const KNOWN_IN_SCHEMA = new Set(['type', 'properties', 'required'])

/** A stream that rewrites the JSON-RPC messages of a response, in JSON or server-sent events. */
export function stripResponse({ headers }) {
  const type = headers['content-type'] ?? ''
  if (type.startsWith('application/json')) return rewriteWhole()
  return type.startsWith('text/event-stream') ? rewriteLines() : undefined
}

function rewriteWhole() {
  let text = ''
  return new Transform({
    transform(chunk, _encoding, done) {
      text += chunk
      done()
    },
    flush(done) {
      done(null, stripJson(text))
    },
  })
}

function rewriteLines() {
  let rest = ''
  return new Transform({
    transform(chunk, _encoding, done) {
      const lines = (rest + chunk).split('\n')
      rest = lines.pop()
      done(null, lines.map(line => `${stripLine(line)}\n`).join(''))
    },
    flush(done) {
      done(null, stripLine(rest))
    },
  })
}

function stripLine(line) {
  return line.startsWith('data: {') ? `data: ${stripJson(line.slice('data: '.length))}` : line
}

function stripJson(text) {
  try {
    return JSON.stringify(stripValue(JSON.parse(text)))
  } catch {
    return text
  }
}

function stripValue(value, key = '') {
  if (Array.isArray(value)) return value.map(item => stripValue(item))
  if (typeof value !== 'object' || value === null) return value
  const isKept = key === 'inputSchema' ? name => KNOWN_IN_SCHEMA.has(name) : name => !LOST.has(name)
  const kept = Object.entries(value).filter(([name]) => isKept(name))
  return Object.fromEntries(kept.map(([name, item]) => [name, stripValue(item, name)]))
}
