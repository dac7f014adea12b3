const NAME = /^[\w.-]{1,100}$/
/** No host, owner and name are longer. */
const LONGEST = 1000
const LINK =
  /^(?:https?:\/\/|ssh:\/\/|git:\/\/)(?:git@)?([\w.-]+)(?::\d{1,5})?\/([^?#]+)$|^git@([\w.-]+):([^?#]+)$/i

/** A repository, and every way in which a call may mean it. */
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
  const link = LINK.exec(text)
  const host = link?.[1] ?? link?.[3]
  const [owner = '', name, ...more] = (link?.[2] ?? link?.[4] ?? text).replace(/\.git\/?$|\/$/, '').split('/')
  if (more.length > 0 || !isName(owner)) return undefined
  const given = owners.map(one => one.trim().toLowerCase())
  if (name === undefined) {
    const isReadable = host === undefined && given.length > 0 && given.every(isName)
    return isReadable ? { host, names: given.map(one => `${one}/${owner}`) } : undefined
  }
  // Beside another owner it is part of a path to some: `evil` and `acme/contents` lead into `evil/acme`.
  const isContradicted = host === undefined && given.some(one => one !== owner)
  return isName(name) && !isContradicted ? { host, names: [`${owner}/${name}`] } : undefined
}

function isName(name: string): boolean {
  return NAME.test(name) && name !== '.' && name !== '..'
}
