/** What an operator of RFC 6570 writes before the first value and between values, and whether it names each value. */
const OPERATORS: Readonly<Record<string, { first: string; between: string; isNamed?: boolean }>> = {
  '': { first: '', between: ',' },
  '+': { first: '', between: ',' },
  '#': { first: '#', between: ',' },
  '.': { first: '.', between: '.' },
  '/': { first: '/', between: '/' },
  ';': { first: ';', between: ';', isNamed: true },
  '?': { first: '?', between: '&', isNamed: true },
  '&': { first: '&', between: '&', isNamed: true },
}

/**
 * Puts values into a URI template (RFC 6570). Values stay as they are, because a policy judges each way to write a URI.
 * An expression none of whose variables has a value stays, too.
 *
 * @example
 * expandTemplate('file:///{+path}', new Map([['path', 'etc/']])) // 'file:///etc/'
 */
export function expandTemplate(template: string, values: ReadonlyMap<string, string>): string {
  return template.replaceAll(/\{([+#./;?&]?)([^{}]*)\}/g, (expression, operator: string, list: string) => {
    const { first, between, isNamed } = OPERATORS[operator] ?? { first: '', between: ',' }
    const parts = list.split(',').flatMap(variable => {
      const name = variable.trim().replace(/(?:\*|:\d+)$/, '')
      const value = values.get(name)
      return value === undefined ? [] : [isNamed === true ? `${name}=${value}` : value]
    })
    return parts.length === 0 ? expression : first + parts.join(between)
  })
}
