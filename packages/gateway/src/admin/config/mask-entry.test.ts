import { describe, expect, it } from 'vitest'
import { holdsMask, maskEntry, showWay, unmaskEntry } from './mask-entry.ts'

const ENTRY = {
  command: 'node',
  args: ['server.mjs', '--key', `ghp_${'a1B2c3D4e5F6'.repeat(3)}`],
  env: { TOKEN: 'hunter2', FROM: '\u0024{env:CRM}' },
}
const REMOTE = {
  url: 'https://ada:secret@crm.example/mcp?key=abc',
  headers: { Authorization: 'Bearer \u0024{env:CRM}', 'X-Key': 'abc' },
}

const WORDS = {
  command: 'serve --token hunter2-in-command',
  args: [
    ...['--api-key', 'hunter2-pair', '-p', 'hunter2-short', '-u', 'ada:hunter2', '--password=hunter2-eq'],
    ...['--header', 'Authorization: Bearer hunter2-header', 'TOKEN=hunter2-assign', 'db.password=hunter2'],
    ...['postgres://u:hunter2@db/x', '--url=https://x.example/?k=hunter2', '\u0024{file:pw}', '--port', '80'],
    ...['--token', '\u0024{env:CRM}', '--secret=\u0024{file:pw}', '-p', '8080', '-y', '@x/server-files2024'],
    ...['--header=Authorization:Basic hunter2', '--env=KEY=hunter2', '--user=ada:hunter2', '-k', 'hunter2'],
    ...['Server=x;Pwd=hunter2;', 'user=u password=hunter2 host=x', '--dsn', 'host=x password=hunter2'],
  ],
}
const KEY_IN_PATH = {
  url: 'https://\u0024{env:HOST}/v1/hunter2-in-path-a8f7/\u0024{file:a/b}/mcp?k=\u0024{env:K}',
}

describe('a server in the config', () => {
  it('is shown without secrets, but with references to them', () => {
    expect(maskEntry(ENTRY)).toMatchObject({
      command: 'node',
      args: ['server.mjs', '--key', expect.not.stringContaining('ghp_')],
      env: { TOKEN: '••••••', FROM: '\u0024{env:CRM}' },
    })
    expect(maskEntry(REMOTE)).toEqual({
      url: 'https://••••••@crm.example/mcp?••••••',
      headers: { Authorization: 'Bearer \u0024{env:CRM}', 'X-Key': '••••••' },
    })
  })

  it('has values masked that only their names identify as secrets', () => {
    const url = 'https://crm.example/mcp'
    const oauth = { clientId: 'me', clientSecret: 'CLIENTSECRET-99aXbQ7', issuer: 'https://idp.example/' }
    expect(maskEntry({ url, oauth })).toEqual({ url, oauth: { ...oauth, clientSecret: '••••••' } })
    const kept = { ...oauth, clientSecret: '\u0024{env:SECRET}' }
    expect(maskEntry({ url, oauth: kept })).toEqual({ url, oauth: kept })
  })

  it('is masked where the config would refuse it', () => {
    const masked = '••••••'
    expect(maskEntry({ command: 'x', args: ['--token', 'hunter2', 4711, '\u0024{env:A}'] })).toEqual({
      command: 'x',
      args: [masked, masked, masked, '\u0024{env:A}'],
    })
    expect(maskEntry({ command: 'x', args: '--token hunter2', lazy: true })).toEqual({
      command: 'x',
      args: masked,
      lazy: true,
    })
    expect(maskEntry({ command: 'x', env: 'TOKEN=hunter2' })).toEqual({ command: 'x', env: masked })
    expect(maskEntry({ command: 'x', env: { PIN: 1234987 } })).toEqual({ command: 'x', env: { PIN: masked } })
    expect(maskEntry({ command: ['x', 'hunter2'] })).toEqual({ command: [masked, masked] })
    expect(maskEntry({ command: 'x', apiKey: 'hunter2', more: { a: ['hunter2'], b: false } })).toEqual({
      command: 'x',
      apiKey: masked,
      more: { a: [masked], b: false },
    })
    expect(maskEntry({ url: 'htps:/hunter2' })).toEqual({ url: masked })
  })

  it('is shown where a placeholder is still to be filled in', () => {
    const entry = {
      url: '\u0024{env:CRM_URL}',
      timeout: '\u0024{env:TIME}',
      headers: { Accept: '\u0024{env:A}' },
    }
    expect(maskEntry(entry)).toEqual(entry)
  })

  it('is masked beside a placeholder', () => {
    const shown = (url: string) => showWay({ url })
    expect(shown('\u0024{env:BASE}/mcp?token=hunter2')).toBe('\u0024{env:BASE}/mcp?••••••')
    expect(shown('\u0024{env:BASE}?token=hunter2')).toBe('\u0024{env:BASE}?••••••')
    expect(shown('\u0024{env:BASE}:80/hunter2-in-path-a8f7/mcp')).toBe('\u0024{env:BASE}:80/••••••/mcp')
    expect(shown('\u0024{env:BASE}/mcp?k=\u0024{env:K}')).toBe('\u0024{env:BASE}/mcp?k=\u0024{env:K}')
    expect(shown('\u0024{env:SCHEME}://u:hunter2@x.example/a')).toBe(
      '\u0024{env:SCHEME}://••••••@x.example/a',
    )
    expect(shown('\u0024{env:SCHEME}//u:hunter2@x.example/a')).toBe('\u0024{env:SCHEME}//••••••@x.example/a')
    expect(shown('http://\u0024{env:A}hunter2@x.example')).toBe('http://••••••@x.example')
    expect(showWay({ command: 'x', args: ['--url=\u0024{env:BASE}/mcp?token=hunter2'] })).toBe(
      'x --url=\u0024{env:BASE}/mcp?••••••',
    )
    const words = {
      args: '\u0024{env:X} hunter2',
      timeout: '\u0024{env:X} hunter2',
      url: '\u0024{env:X} hunter2',
    }
    expect(maskEntry(words)).toEqual({ args: '••••••', timeout: '••••••', url: '••••••' })
    expect(maskEntry({ args: 'https://x.example --token hunter2' })).toEqual({ args: '••••••' })
  })

  it('is masked where an address is malformed', () => {
    const spellings = [
      'http:\\\\u:hunter2@x.example/a',
      'http:u:hunter2@x.example',
      ' http://u:hunter2@x.example',
    ]
    for (const url of [...spellings, 'http://u:hun/ter2@x.example', 'http://x.example\\hunter2'])
      expect(maskEntry({ url })).toEqual({ url: '••••••' })
    const harmless = ['http://[::1]:80/mcp', 'HTTPS://x.example', 'https://bücher.example:443/a b']
    for (const url of harmless) expect(maskEntry({ url })).toEqual({ url })
  })

  it('is masked in its arguments and its path, but not in references', () => {
    expect(showWay(WORDS)).toBe(
      'serve --token •••••• --api-key •••••• -p •••••• -u •••••• --password=•••••• ' +
        '--header Authorization: Bearer •••••• TOKEN=•••••• db.password=•••••• ' +
        'postgres://••••••@db/x --url=https://x.example/?•••••• \u0024{file:pw} --port 80 ' +
        '--token \u0024{env:CRM} --secret=\u0024{file:pw} -p 8080 -y @x/server-files2024 ' +
        '--header=Authorization:Basic •••••• --env=KEY=•••••• --user=•••••• -k •••••• ' +
        'Server=x;Pwd=••••••; user=u password=•••••• host=x --dsn ••••••',
    )
    expect(showWay(KEY_IN_PATH)).toBe(
      'https://\u0024{env:HOST}/v1/••••••/\u0024{file:a/b}/mcp?k=\u0024{env:K}',
    )
    expect(showWay({ serverUrl: 'https://x.example/api/v1/mcp' })).toBe('https://x.example/api/v1/mcp')
    expect(showWay({})).toBeUndefined()
  })

  it('is masked in a password joined to its flag', () => {
    const shown = (...args: string[]) => showWay({ command: 'x', args })
    expect(shown('-phunter22x', '--password', '-hunter22x', '/token:hunter22x')).toBe(
      'x -p•••••• --password •••••• /token:••••••',
    )
    const harmless = ['-p8080', '-p8080:80', '-p./folder2024', '-package', '-python3', '-pidfile=/run/x1']
    expect(shown(...harmless)).toBe(['x', ...harmless].join(' '))
  })

  it('keeps an argument masked that was moved', () => {
    const sent = { command: 'x', args: ['--say', '••••••'] }
    expect(unmaskEntry(sent, { command: 'x', args: ['--token', 'hunter2'] })).toEqual(sent)
    expect(unmaskEntry(sent, { command: 'x', args: ['--pin', 4711987] })).toEqual(sent)
  })

  it('is restored when another part was changed', () => {
    const refused = { command: 'x', env: { PIN: 1234987 }, args: ['--pin', 4711] }
    for (const entry of [ENTRY, REMOTE, WORDS, KEY_IN_PATH, refused]) {
      const seen = maskEntry(entry) as object
      expect(unmaskEntry({ ...seen, timeout: '5s' }, entry)).toEqual({ ...entry, timeout: '5s' })
    }
  })

  it('does not get its previous secrets back with another program, folder or issuer', () => {
    const npx = {
      command: 'npx',
      args: ['-y', 'good', '--token', 'hunter2'],
      env: { K: 'hunter2' },
      cwd: '/a',
    }
    const oauth = { issuer: 'https://id.example', clientId: 'me', clientSecret: 'hunter2' }
    const remote = { url: 'https://x.example/mcp', oauth, headers: { 'X-Key': 'hunter2' } }
    const changes = [
      [npx, { args: ['-y', 'evil', '--token', '••••••'] }],
      [npx, { args: ['-y', 'good', '--token', '••••••', '--send-to=https://evil.example'] }],
      [npx, { args: undefined }],
      [npx, { cwd: '/b' }],
      [remote, { oauth: { ...oauth, clientSecret: '••••••', issuer: 'https://evil.example' } }],
      [remote, { oauth: undefined }],
      [npx, { env: { K: '••••••', HTTPS_PROXY: 'http://evil.example' } }],
      [npx, { env: { K: '••••••', PATH: '/evil' } }],
      [npx, { env: { K: '••••••', TOKEN_URL: 'http://evil.example' } }],
      [npx, { env: { K: '••••••', TOKEN_HOST: 'evil.example' } }],
      [npx, { env: undefined }],
      [remote, { headers: { 'X-Key': '••••••', Host: 'evil.example' } }],
      [remote, { headers: { 'X-Key': '••••••', 'X-Target': 'https://evil.example' } }],
    ] as const
    for (const [entry, change] of changes) {
      const sent = { ...(maskEntry(entry) as object), ...change }
      expect(unmaskEntry(sent, entry)).toEqual(sent)
    }
  })

  it('keeps its other values when one secret is replaced', () => {
    const entry = { command: 'x', env: { API_TOKEN: 'old', DATABASE_PASSWORD: 'p', LEVEL: 'info' } }
    const env = { API_TOKEN: 'new', LEVEL: '••••••', DATABASE_PASSWORD: '••••••' }
    expect(unmaskEntry({ command: 'x', env }, entry)).toEqual({
      command: 'x',
      env: { ...entry.env, API_TOKEN: 'new' },
    })
    const remote = { url: 'https://x.example/mcp', headers: { Authorization: 'old', 'X-Api-Key': 'k' } }
    const headers = { Authorization: 'new', 'X-Api-Key': '••••••' }
    expect(unmaskEntry({ ...remote, headers }, remote)).toEqual({
      ...remote,
      headers: { Authorization: 'new', 'X-Api-Key': 'k' },
    })
  })

  it('is refused with a mask as a value', () => {
    expect(holdsMask(unmaskEntry({ ...(maskEntry(ENTRY) as object), command: 'another' }, ENTRY))).toBe(true)
    expect(holdsMask(unmaskEntry({ env: { NEW: '••••••' } }, ENTRY))).toBe(true)
    expect(holdsMask(unmaskEntry(maskEntry(ENTRY), ENTRY))).toBe(false)
    // An edit must not be able to move a secret to a field that is shown unmasked.
    expect(unmaskEntry({ command: '••••••' }, ENTRY)).toEqual({ command: '••••••' })
  })
})
