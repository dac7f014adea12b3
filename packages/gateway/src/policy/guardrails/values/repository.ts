const NAME = /^[\w.-]{1,100}$/
/** Maximum length of a text that names a repository. */
const LONGEST = 1000
const LINK =
  /^(?:https?:\/\/|ssh:\/\/|git:\/\/)(?:git@)?([\w.-]+)(?::\d{1,5})?\/([^?#]+)$|^git@([\w.-]+):([^?#]+)$/i
/** A link without a scheme, as people type it. Owner names contain no dots, so this is a host. */
const BARE_LINK = /^([\w-]+(?:\.[\w-]+)+)\/([^/?#]+\/[^/?#]+\/?)$/
/** A path inside a repository, which is not part of its name. Forges reserve these words. */
const INNER_PATH = /^([^/]+\/[^/]+)\/(?:tree|blob|commits)(?:\/(?!\.{1,2}(?:\/|$))[\w.@+-]+)+\/?$/

export interface Repository {
  /** Undefined if the text names no host; the server then decides. */
  readonly host: string | undefined
  readonly names: readonly string[]
}

/**
 * Reads a repository from `owner/repository`, from a link, or from a bare name and the owners in other fields. With
 * several owners, every combination counts. Undefined if the text is unreadable.
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
  // With another owner field, some servers join the two into a path: `evil` and `acme/contents` become `evil/acme`.
  const isContradicted = !isLink && given.some(one => one !== owner)
  return isName(name) && !isContradicted ? { host, names: [`${owner}/${name}`] } : undefined
}

interface Link {
  readonly host: string | undefined
  readonly path: string
  /** True if the text has a scheme. Without one, a server may append the text to an owner. */
  readonly isLink: boolean
}

function readLink(text: string): Link {
  const link = LINK.exec(text)
  if (link !== null) {
    const path = link[2] ?? link[4] ?? ''
    return { host: link[1] ?? link[3], path: INNER_PATH.exec(path)?.[1] ?? path, isLink: true }
  }
  const bare = BARE_LINK.exec(text)
  return { host: bare?.[1], path: bare?.[2] ?? text, isLink: false }
}

function isName(name: string): boolean {
  return NAME.test(name) && name !== '.' && name !== '..'
}
