import { nearest } from '@hintgate/metadata'
import type { DefinitionKind, StoredDefinition } from '../../store/store.ts'
import type { Objection } from './objection.ts'
import type { Target } from './parse-target.ts'
import { idOf } from './review-item.ts'

/** The one definition that a reviewer means, of whatever kind unless they say which. */
export function findDefinition(
  known: readonly StoredDefinition[],
  { server, name, fingerprint }: Target,
  kind?: DefinitionKind,
): StoredDefinition | Objection {
  const ofServer = known.filter(stored => stored.server === server)
  if (ofServer.length === 0) return unknownServer(known, server)
  const named = ofServer.filter(stored => stored.name === name && (kind ?? stored.kind) === stored.kind)
  const seen = named.filter(({ current }) => fingerprint !== undefined && current?.startsWith(fingerprint))
  const [found, other] = seen.length === 1 ? seen : named
  if (found === undefined) return unknownName(ofServer, { server, name }, kind)
  return other === undefined ? found : severalKinds(named)
}

/** Of a server that has not been asked yet, too, nothing is known. */
export function unknownServer(known: readonly StoredDefinition[], server: string): Objection {
  const like = nearest(
    server,
    known.map(stored => stored.server),
  )
  return {
    isUsage: false,
    message: `nothing is known of a server ${JSON.stringify(server)}`,
    fix:
      like === undefined
        ? 'a server is known once it was asked for its tools: run hintgate serve or hintgate tools list'
        : `did you mean ${like}?`,
  }
}

function unknownName(
  ofServer: readonly StoredDefinition[],
  wanted: { readonly server: string; readonly name: string },
  kind: DefinitionKind = 'tool',
): Objection {
  const like = nearest(
    wanted.name,
    ofServer.filter(stored => stored.kind === kind).map(({ name }) => name),
  )
  return {
    isUsage: false,
    message: `there is no ${kind} ${JSON.stringify(idOf(wanted))}, and there never was`,
    fix:
      like === undefined
        ? 'hintgate tools review shows what waits'
        : `did you mean ${JSON.stringify(idOf({ server: wanted.server, name: like }))}?`,
  }
}

function severalKinds(named: readonly StoredDefinition[]): Objection {
  const [first] = named
  const kinds = named.map(({ kind }) => kind)
  return {
    isUsage: true,
    message: `${JSON.stringify(first === undefined ? '' : idOf(first))} is the name of a ${kinds.join(' and of a ')}`,
    fix: `say which with --kind ${kinds.join(' or --kind ')}`,
  }
}
