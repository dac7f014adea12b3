const NAME = /^[\w.-]{1,100}$/
/** No host, owner and name are longer. */
const LONGEST = 1000
const LINK =
  /^(?:https?:\/\/|ssh:\/\/|git:\/\/)(?:git@)?([\w.-]+)(?::\d{1,5})?\/([^?#]+)$|^git@([\w.-]+):([^?#]+)$/i
/** A link as people type it. No owner has a dot in its name where a host is meant. */
const BARE_LINK = /^([\w-]+(?:\.[\w-]+)+)\/([^/?#]+\/[^/?#]+\/?)$/
/** A place in a repository, which is no part of its name: every forge keeps these words for that. */
const PLACE = /^([^/]+\/[^/]+)\/(?:tree|blob|commits)(?:\/(?!\.{1,2}(?:\/|$))[\w.@+-]+)+\/?$/

export interface Repository {
  /** Where it is, if that is said; else the server knows. */
  readonly host: string | undefined
  readonly names: readonly string[]
}

/**
 * `owner/repository` from its name, from a link, or from a bare name and the owners given beside it. With
 * several owners every pairing counts. Undefined: it cannot be read.
 */
export function readRepository(written: string, owners: readonly string[]): Repository | undefined {
  if (written.length > LONGEST) return undefined
  const text = written.trim().toLowerCase()
  const { host, path, isLink } = readLink(text)
  const [owner = '', name, ...more] = path.replace(/\.git\/?$|\/$/, '').split('/')
  if (more.length > 0 || !isName(owner)) return undefined
  const given = owners.map(one => one.trim().toLowerCase())
  if (name === undefined) {
    const isReadable = host === undefined && given.length > 0 && given.every(isName)
    return isReadable ? { host, names: given.map(one => `${one}/${owner}`) } : undefined
  }
  // Beside another owner it is part of a path to some: `evil` and `acme/contents` lead into `evil/acme`.
  const isContradicted = !isLink && given.some(one => one !== owner)
  return isName(name) && !isContradicted ? { host, names: [`${owner}/${name}`] } : undefined
}

interface Link {
  readonly host: string | undefined
  readonly path: string
  /** Whether it says so itself. What does not may be put behind an owner by a server. */
  readonly isLink: boolean
}

function readLink(text: string): Link {
  const link = LINK.exec(text)
  if (link !== null) {
    const path = link[2] ?? link[4] ?? ''
    return { host: link[1] ?? link[3], path: PLACE.exec(path)?.[1] ?? path, isLink: true }
  }
  const bare = BARE_LINK.exec(text)
  return { host: bare?.[1], path: bare?.[2] ?? text, isLink: false }
}

function isName(name: string): boolean {
  return NAME.test(name) && name !== '.' && name !== '..'
}
