import { checkObject, checkText } from '../authoring/check-shape.ts'
import { nearest } from '../authoring/did-you-mean.ts'
import { META_HINTS } from '../authoring/project-metadata.ts'
import { joinPath } from '../definition/json-problems.ts'
import { isObject, own } from '../definition/own-property.ts'
import type { Finding } from '../finding.ts'
import { HINT_NAMES, HINTS, RISK_HINTS, SPEC_HINTS } from '../hint/hints.ts'
import { readFlags, type Statement } from './read-axes.ts'

const WIRE_NAMES = Object.fromEntries(HINT_NAMES.map(hint => [hint, HINTS[hint].wire]))
const BARE_NAMES = Object.fromEntries(SPEC_HINTS.map(hint => [hint, hint]))
const RISK_NAMES = new Set<string>(RISK_HINTS.map(hint => HINTS[hint].wire))
const KNOWN = new Set<string>(['title', ...SPEC_HINTS.flatMap(hint => [hint, HINTS[hint].wire])])

/** Reads `annotations`: the specification's names, the bare names that some servers use instead, and the risk hints. */
export function readAnnotations(annotations: unknown): Statement {
  const path = 'annotations'
  if (!isObject(annotations)) return { record: { hints: {} }, findings: checkObject(annotations, path) }
  const spec = readFlags(annotations, path, WIRE_NAMES)
  const bare = readFlags(annotations, path, BARE_NAMES)
  const title = own(annotations, 'title')
  return {
    record: {
      // If both names are present, the specification's name counts.
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
    const meant = RISK_NAMES.has(key) ? undefined : nearest(key, Object.values(WIRE_NAMES))
    return {
      code: 'unknown-annotation',
      level: meant === undefined ? 'info' : 'warning',
      path: joinPath('annotations', key),
      message: `The specification does not define this annotation; SDKs drop it.${RISK_NAMES.has(key) ? ' Hintgate reads it.' : ''}`,
      fix: meant === undefined ? fixOf(key) : `Did you mean \`${meant}\`?`,
    }
  })
}

function fixOf(key: string): string {
  return RISK_NAMES.has(key)
    ? `Send the annotation in \`_meta["${META_HINTS}"]\` instead.`
    : 'Send the annotation in `_meta` instead.'
}
