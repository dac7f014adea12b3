import { checkObject, checkText } from '../authoring/check-shape.ts'
import { nearest } from '../authoring/did-you-mean.ts'
import { joinPath } from '../definition/json-problems.ts'
import { isObject, own } from '../definition/own-property.ts'
import type { Finding } from '../finding.ts'
import { HINTS, SPEC_HINTS } from '../hint/hints.ts'
import { readFlags, type Statement } from './read-axes.ts'

const WIRE_NAMES = Object.fromEntries(SPEC_HINTS.map(hint => [hint, HINTS[hint].wire]))
const BARE_NAMES = Object.fromEntries(SPEC_HINTS.map(hint => [hint, hint]))
const KNOWN = new Set<string>(['title', ...Object.values(WIRE_NAMES), ...SPEC_HINTS])

/** Reads `annotations`: the specification's names, and the bare names that some servers send instead. */
export function readAnnotations(annotations: unknown): Statement {
  const path = 'annotations'
  if (!isObject(annotations)) return { record: { hints: {} }, findings: checkObject(annotations, path) }
  const spec = readFlags(annotations, path, WIRE_NAMES)
  const bare = readFlags(annotations, path, BARE_NAMES)
  const title = own(annotations, 'title')
  return {
    record: {
      // If both spellings are present, the specification's name wins.
      hints: { ...bare.hints, ...spec.hints },
      ...(typeof title === 'string' ? { title } : {}),
    },
    findings: [
      ...spec.findings,
      ...bare.findings,
      ...checkText(title, `${path}.title`),
      ...bareNames(annotations),
      ...strangers(annotations),
    ],
  }
}

function bareNames(annotations: object): Finding[] {
  const present = SPEC_HINTS.filter(hint => Object.hasOwn(annotations, hint))
  return present.map(hint => {
    const loses = Object.hasOwn(annotations, HINTS[hint].wire)
    return {
      code: 'bare-hint-name',
      level: 'warning',
      path: `annotations.${hint}`,
      message: `\`${hint}\` is not a name in the specification; most clients ignore it${loses ? `, and \`${HINTS[hint].wire}\` overrides it here` : ''}.`,
      fix: loses ? `Remove \`${hint}\`.` : `Rename it to \`${HINTS[hint].wire}\`.`,
    }
  })
}

function strangers(annotations: object): Finding[] {
  const unknown = Object.keys(annotations).filter(key => !KNOWN.has(key))
  return unknown.slice(0, 20).map(key => {
    const meant = nearest(key, Object.values(WIRE_NAMES))
    return {
      code: 'unknown-annotation',
      level: meant === undefined ? 'info' : 'warning',
      path: joinPath('annotations', key),
      message: 'The specification does not define this annotation; SDKs drop it.',
      fix: meant === undefined ? 'Send it in `_meta` instead.' : `Did you mean \`${meant}\`?`,
    }
  })
}
