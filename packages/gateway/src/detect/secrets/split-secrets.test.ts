import { describe, expect, it } from 'vitest'
import { splitSecrets, type ValueLocation } from './split-secrets.ts'

/** Returns the text with every secret in angle brackets. */
const split = (text: string, location: ValueLocation): string =>
  splitSecrets(text, location)
    .map(stretch => (stretch.isSecret ? `<${stretch.text}>` : stretch.text))
    .join('')

const env = (key: string, text: string) => split(text, { in: 'env', key })
const header = (key: string, text: string) => split(text, { in: 'headers', key })
const argument = (text: string, before?: string) => split(text, { in: 'args', before })
const url = (text: string) => split(text, { in: 'url' })

describe('splitSecrets()', () => {
  it('recognises secrets in the environment by name or by form', () => {
    expect(env('GITHUB_TOKEN', 'abc123')).toBe('<abc123>')
    expect(env('OPENAI_KEY', 'x1y2z3')).toBe('<x1y2z3>')
    expect(env('DATABASE', 'postgres://ada:hunter2@db/x')).toBe('<postgres://ada:hunter2@db/x>')
    expect(env('BLOB', 'q9w8e7r6t5z4u3i2o1p0asdf')).toBe('<q9w8e7r6t5z4u3i2o1p0asdf>')
    expect(env('PASSWORD', 'hunter')).toBe('<hunter>')
    expect(env('MAX_TOKENS', '4096')).toBe('4096')
    expect(env('LOG_LEVEL', 'debug')).toBe('debug')
    expect(env('USE_AUTH', 'true')).toBe('true')
    expect(env('DATA_DIR', '/home/ada/a-long-folder-name-2024/data')).toBe(
      '/home/ada/a-long-folder-name-2024/data',
    )
    expect(env('API_KEY', '')).toBe('')
  })

  it('treats all but harmless headers as secrets and keeps the scheme', () => {
    expect(header('Authorization', 'Bearer abc')).toBe('Bearer <abc>')
    expect(header('X-Team', 'red')).toBe('<red>')
    expect(header('Accept', 'application/json')).toBe('application/json')
    expect(header('Authorization', 'Bearer ')).toBe('Bearer ')
  })

  it('recognises secrets in arguments by the flag', () => {
    expect(argument('--api-key=abc')).toBe('--api-key=<abc>')
    expect(argument('abc', '--api-key')).toBe('<abc>')
    expect(argument('Authorization: Bearer abc', '--header')).toBe('Authorization: Bearer <abc>')
    expect(argument('TOKEN=abc')).toBe('TOKEN=<abc>')
    expect(argument('db.password=abc')).toBe('db.password=<abc>')
    expect(argument('color=red')).toBe('color=red')
    expect(argument('8080', '--port')).toBe('8080')
    expect(argument('@modelcontextprotocol/server-filesystem')).toBe(
      '@modelcontextprotocol/server-filesystem',
    )
    expect(argument('--token')).toBe('--token')
    expect(argument('postgres://ada:hunter2@db/x')).toBe('postgres://ada:<hunter2>@db/x')
  })

  it('recognises named secrets inside JSON and shell arguments', () => {
    expect(argument('{"apiKey":"abc","level":"info"}', '--config')).toBe('{"apiKey":"<abc>","level":"info"}')
    expect(argument('--config={ "db": {"password": "a \\" b\'c"} }')).toBe(
      '--config={ "db": {"password": "<a \\" b\'c>"} }',
    )
    expect(argument('"{\\"apiKey\\":\\"abc\\",\\"n\\":\\"x\\"}"')).toBe(
      '"{\\"apiKey\\":\\"<abc>\\",\\"n\\":\\"x\\"}"',
    )
    expect(argument('{"pin": 4711, "token": 12345, "maxTokens": 100}')).toBe(
      '{"pin": <4711>, "token": <12345>, "maxTokens": 100}',
    )
    expect(argument('cd app && TOKEN=abc A=b node .', '-c')).toBe('cd app && TOKEN=<abc> A=b node .')
    expect(argument('cd app; PASSWORD=\'a b\' API_KEY="c" x', '-c')).toBe(
      'cd app; PASSWORD=\'<a b>\' API_KEY="<c>" x',
    )
    expect(argument('a:'.repeat(20_000))).toBe(`<${'a:'.repeat(20_000)}>`)
    for (const text of [
      'cd app && TOKEN=$TOKEN node .',
      'Use key: value pairs',
      '{"a":"b"}',
      '{}',
      '"',
      "it's",
    ])
      expect(argument(text), text).toBe(text)
  })

  it('recognises secrets after flags for headers, users and variables', () => {
    expect(argument('--header=Authorization:Basic abc')).toBe('--header=Authorization:Basic <abc>')
    expect(argument('--user=ada:abc')).toBe('--user=<ada:abc>')
    expect(argument('ada:abc', '-u')).toBe('<ada:abc>')
    expect(argument('1000:1000', '--user')).toBe('1000:1000')
    expect(argument('--env=API_KEY=abc')).toBe('--env=API_KEY=<abc>')
    expect(argument('--env=REGION=eu')).toBe('--env=REGION=eu')
    expect(argument('localhost:8080', '--host')).toBe('localhost:8080')
    expect(argument('secrets/token', '--token-file')).toBe('secrets/token')
    expect(argument('4096', '--max-tokens')).toBe('4096')
  })

  it('recognises flags in other spellings', () => {
    expect(argument('-hunter22x', '--password')).toBe('<-hunter22x>')
    expect(argument('--x9=hunter', '--password')).toBe('<--x9=hunter>')
    expect(argument('/token:abc')).toBe('/token:<abc>')
    expect(argument('/password=abc')).toBe('/password=<abc>')
    expect(argument('--api_key:abc')).toBe('--api_key:<abc>')
    expect(argument('--db.password=abc')).toBe('--db.password=<abc>')
    expect(argument('abc', '--db.password')).toBe('<abc>')
    expect(argument('--api_key:https://u:pw@x.example')).toBe('--api_key:https://u:<pw>@x.example')
  })

  it('ignores other flags, paths and pairs in arguments', () => {
    for (const flag of ['--verbose', '-v', '--log-level=9', '--', '-'])
      expect(argument(flag, '--secret')).toBe(flag)
    for (const text of [
      '/srv/token:rw',
      '/c:dir',
      '--volume:a',
      '-v:/data',
      '/token',
      '/etc/x=1',
      '-O2',
      '/Y',
    ])
      expect(argument(text)).toBe(text)
    expect(argument('-O2', '--level')).toBe('-O2')
  })

  it('recognises secrets in a connection string by each name', () => {
    expect(argument('user=u password=abc host=x')).toBe('user=u password=<abc> host=x')
    expect(argument('user=u password=abc host=x', '--dsn')).toBe('<user=u password=abc host=x>')
    expect(argument('--connection=Server=x;User ID=u;Pwd=a b;Port=1')).toBe(
      '--connection=Server=x;User ID=u;Pwd=<a b>;Port=1',
    )
    expect(argument('Server=x;Pwd=abc;')).toBe('Server=x;Pwd=<abc>;')
    expect(argument('TOKEN=abc def')).toBe('TOKEN=<abc def>')
    expect(argument('q9w8e7r6t5z4u3i2o1p0asdf==')).toBe('<q9w8e7r6t5z4u3i2o1p0asdf==>')
  })

  it('recognises passwords, secret parameters and long random segments in URLs', () => {
    expect(url('https://x.example/mcp')).toBe('https://x.example/mcp')
    expect(url('https://x.example/mcp?team=red&api_key=abc#top')).toBe(
      'https://x.example/mcp?team=red&api_key=<abc>#top',
    )
    expect(url('https://u:pw@x.example/mcp')).toBe('https://u:<pw>@x.example/mcp')
    expect(url('https://x.example/s/q9w8e7r6t5z4u3i2o1p0asdf/mcp')).toBe(
      'https://x.example/s/<q9w8e7r6t5z4u3i2o1p0asdf>/mcp',
    )
  })

  it('treats text that looks like a reference as a secret', () => {
    expect(argument(`\${file:/etc/passwd}`)).toBe(`<\${file:/etc/passwd}>`)
  })
})
