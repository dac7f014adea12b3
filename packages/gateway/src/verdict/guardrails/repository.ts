const NAME = /^[\w.-]{1,100}$/
/** No host, owner and name are longer. */
const LONGEST = 1000
const LINK =
  /^(?:https?:\/\/|ssh:\/\/|git:\/\/)(?:git@)?[\w.-]+(?::\d{1,5})?\/([^?#]+)$|^git@[\w.-]+:([^?#]+)$/i

/**
 * `owner/repository` from its name, from a link, or from a bare name and the owners given beside it. With
 * several owners every pairing counts. Undefined: it cannot be read.
 */
export function readRepository(written: string, owners: readonly string[]): readonly string[] | undefined {
  if (written.length > LONGEST) return undefined
  const text = written.trim().toLowerCase()
  const link = LINK.exec(text)
  const [owner = '', name, ...more] = (link?.[1] ?? link?.[2] ?? text).replace(/\.git\/?$|\/$/, '').split('/')
  if (name !== undefined)
    return more.length === 0 && isName(owner) && isName(name) ? [`${owner}/${name}`] : undefined
  const pairs = owners.map(given => `${given.trim().toLowerCase()}/${owner}`)
  const isReadable = isName(owner) && pairs.length > 0 && owners.every(given => isName(given.trim()))
  return isReadable ? pairs : undefined
}

function isName(name: string): boolean {
  return NAME.test(name) && name !== '.' && name !== '..'
}
