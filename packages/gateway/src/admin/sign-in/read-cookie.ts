/** The first cookie of that name, as browsers send it. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  const found = header?.split(';').find(part => part.trim().startsWith(`${name}=`))
  return found?.trim().slice(name.length + 1)
}
