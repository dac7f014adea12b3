/**
 * What follows the names of each issuer's callers, in the order of the issuers: its host, as most set-ups have one
 * issuer of a host, and its path, too, where several are at one, such as the realms and tenants of one provider.
 * No `@` is in it, so that it is clear where a name ends. Those of different issuers may be the same; a config with
 * such issuers is refused.
 *
 * @example
 * findDomains(['https://id.example/realms/a', 'https://id.example/realms/b', 'https://login.example/x'])
 * // ['id.example/realms/a', 'id.example/realms/b', 'login.example']
 */
export function findDomains(issuers: readonly string[]): string[] {
  const urls = issuers.map(issuer => new URL(issuer))
  return urls.map(({ host, pathname }) => {
    const isAlone = urls.filter(other => other.host === host).length === 1
    return isAlone ? host : `${host}${pathname.replace(/\/+$/, '').replaceAll('@', '%40')}`
  })
}
