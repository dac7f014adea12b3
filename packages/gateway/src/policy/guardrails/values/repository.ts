const NAME = /^[\w.-]{1,100}$/
/** Maximum length of a field for a repository. */
const LONGEST = 1000
const LINK =
  /^(?:https?:\/\/|ssh:\/\/|git:\/\/)(?:git@)?([\w.-]+)(?::\d{1,5})?\/([^?#]+)$|^git@([\w.-]+):([^?#]+)$/i
/**
 * Matches a link without a scheme, as people type it. Owner names contain no dots, so a first part with a dot is a
 * host.
 */
const BARE_LINK = /^([\w-]+(?:\.[\w-]+)+)\/([^/?#]+\/[^/?#]+\/?)$/
/**
 * Matches a path inside a repository, which is not part of the repository's name. Git hosting services reserve the
 * words `tree`, `blob` and `commits`.
 */
const INNER_PATH = /^([^/]+\/[^/]+)\/(?:tree|blob|commits)(?:\/(?!\.{1,2}(?:\/|$))[\w.@+-]+)+\/?$/

export interface Repository {
  /** The host in the text. Undefined if there is none; the server then chooses it. */
  readonly host: string | undefined
  readonly names: readonly string[]
}

/**
 * Reads a repository from `owner/repository`, from a link, or from a bare name together with the owners in other
 * fields. If there are several owners, every combination counts. Returns undefined if the text cannot be read as a
 * repository.
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
  // If another field also gives an owner, some servers join both into a path: `evil` and `acme/contents` become
  // `evil/acme`.
  const isContradicted = !isLink && given.some(one => one !== owner)
  return isName(name) && !isContradicted ? { host, names: [`${owner}/${name}`] } : undefined
}

interface Link {
  readonly host: string | undefined
  readonly path: string
  /** True if the text has a scheme. A server could append a text without one to an owner. */
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
