import { describe, expect, it } from 'vitest'
import { crc62 } from '../text/checksums.ts'
import { findSecrets } from './find-secrets.ts'

/** Joins the parts of an invented secret, so that no scanner reports this file as a leak. */
function joined(...parts: readonly string[]): string {
  return parts.join('')
}

const RANDOM = 'k3Jd9sLq2Zx7Vb5Nm1Rt8Yw4Pc6Hf0Ga1Te2Uo5Xi9Bq7Mz3'
const HEX = '3f9a1c07be52d84e6a0b9f13c7d25e8841fa60b7c93d2e15'

function rulesIn(text: string): readonly string[] {
  return findSecrets(text).map(({ rule }) => rule)
}

describe('findSecrets()', () => {
  it.each([
    ['github-token', joined('ghp', '_', RANDOM.slice(0, 36))],
    ['gitlab-token', joined('glpat', '-', RANDOM.slice(0, 20))],
    ['aws-key', joined('AK', 'IA', 'QWERTYUIOPASDFGH')],
    ['stripe-key', joined('sk', '_live_', RANDOM.slice(0, 24))],
    ['slack-token', joined('xo', 'xb-', '123456789012-', RANDOM.slice(0, 24))],
    ['google-api-key', joined('AI', 'za', RANDOM.slice(0, 35))],
    ['npm-token', joined('npm', '_', RANDOM.slice(0, 36))],
    ['azure-client-secret', joined('abc8', 'Q~', RANDOM.slice(0, 34))],
    ['sendgrid-key', joined('S', 'G.', RANDOM.slice(0, 22), '.', RANDOM.slice(0, 43))],
    ['digitalocean-token', joined('dop', '_v1_', HEX, HEX.slice(0, 16))],
    ['vault-token', joined('hv', 's.', RANDOM)],
    ['password-in-url', 'postgres://app:s3cr3tPw@db.example/main'],
    ['authorization-header', `Authorization: Bearer ${RANDOM}`],
    ['curl-password', 'curl -s -u admin:Tr0ub4dor https://example.com'],
    ['assigned-secret', 'DB_PASSWORD="Tr0ub4dor&3"'],
    ['assigned-secret', `{"apiKey": "${HEX.slice(0, 32)}"}`],
  ])('finds %s', (rule, secret) => {
    expect(rulesIn(`before ${secret} after`)).toEqual([rule])
  })

  it('finds a whole private key, even a truncated one', () => {
    const begin = joined('-----BEGIN RSA ', 'PRIVATE KEY-----')
    const end = joined('-----END RSA ', 'PRIVATE KEY-----')
    const body = `${RANDOM}+/${RANDOM.slice(0, 14)}`
    const key = `${begin}\n${body}\n${body}\n${end}`
    expect(findSecrets(`a ${key} b`)).toMatchObject([{ rule: 'private-key', start: 2, end: 2 + key.length }])
    expect(rulesIn(`${begin}\n${body}\n${body}`)).toEqual(['private-key'])
    expect(rulesIn(`${begin}\n...\n${end}`)).toEqual([])
  })

  it('finds a web token only if it decodes to JSON', () => {
    const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
    expect(
      rulesIn(`${encode({ alg: 'HS256', typ: 'JWT' })}.${encode({ sub: '1234567890' })}.${RANDOM}`),
    ).toEqual(['json-web-token'])
    expect(rulesIn(`eyJhbGciOi!!${RANDOM}.eyJzdWIiOi${RANDOM}.${RANDOM}`.replace('!!', 'zz'))).toEqual([])
  })

  it('is certain when a checksum is valid', () => {
    const body = RANDOM.slice(0, 30)
    const [sure] = findSecrets(joined('ghp', '_', body, crc62(body)))
    const [likely] = findSecrets(joined('ghp', '_', body, 'AAAAAA'))
    expect(sure?.confidence).toBe(1)
    expect(likely?.confidence).toBeLessThan(1)
  })

  it.each([
    'password = $PASSWORD',
    'https://evil.example:443?a1b2c3@bank.example/',
    'https://evil.example:443#a1b2c3@bank.example/',
    'https://evil.example:443\\a1b2c3@bank.example/',
    'api_key: <your key here>',
    'token = process.env.TOKEN_VALUE_1',
    'secret_name = "my-service-key-1"',
    `password_hash_id: ${HEX.slice(0, 32)}`,
    'The password must have 8 characters and 1 digit.',
    `git checkout ${HEX.slice(0, 40)}`,
    `https://example.com/assets/${HEX.slice(0, 32)}.png`,
    joined('gh', 'p_', 'x'.repeat(36)),
    'token: string',
    '',
  ])('ignores: %s', text => {
    expect(rulesIn(text)).toEqual([])
  })

  it('gives the position, not the text', () => {
    const secret = joined('ghp', '_', RANDOM.slice(0, 36))
    const [finding] = findSecrets(`key ${secret}.`)
    expect(finding).toEqual({ rule: 'github-token', start: 4, end: 44, confidence: expect.any(Number) })
  })
})

describe('a reference to a secret in code', () => {
  it.each([
    'AccessToken: AccessTokenTTL,',
    'token.scope = grant.getOIDCScopeFiltered(scopes);',
    "const authorization = getAuthorization('authorization');",
    'headers: { authorization: options.authorization }',
    '"x-api-key": config.currentApiKeyJWT,',
    'inputTokens: import_v410.z.number().nullish(),',
    'saveTokens(tokens: StoredOAuthTokens, ctx?: X): void',
    "const password = utils$1.getSafeProp(auth, 'password')",
    'exports.findX509Credential = exports.rememberX509Credential;',
  ])('is not a secret: %s', text => {
    expect(rulesIn(text)).toEqual([])
  })

  it.each([
    ['assigned-secret', `AccessToken: ${HEX.slice(0, 24)},`],
    ['assigned-secret', `token.scope = ${RANDOM.slice(0, 20)}(scopes);`],
    ['assigned-secret', 'inputToken: qWzXvLmKtRbNcYpJhGfD,'],
    ['assigned-secret', 'saveTokens(token: qWzXvLm.KtRbNcYpJhGfD, ctx)'],
    ['assigned-secret', 'const token = "grant.getOIDCScopeFiltered"'],
    ['assigned-secret', 'API_TOKEN=mySuperSecretJWTToken'],
    ['assigned-secret', 'password: MyDogRex7'],
    ['assigned-secret', 'password = Tr0ub4dor(3)'],
    ['github-token', `token = ${joined('ghp', '_', RANDOM.slice(0, 36))}`],
    ['authorization-header', `const authorization = ${RANDOM.slice(0, 20)};`],
    ['authorization-header', 'Authorization: Bearer getAuthorizationHeader'],
    ['authorization-header', 'authorization: "options.authorization"'],
    ['authorization-header', 'X-Api-Key: myServiceAccount.productionKey'],
    ['authorization-header', 'Authorization: myServiceAccountJWT'],
  ])('does not hide a secret of the same shape: %s in %s', (rule, text) => {
    expect(rulesIn(text)).toEqual([rule])
  })
})

describe('a text with too many candidates', () => {
  it('counts as a secret from the point where the search stops', () => {
    const text = 'token:'.repeat(100_000)
    const found = findSecrets(text).at(-1)
    expect(found).toMatchObject({ rule: 'assigned-secret', end: text.length })
    expect(findSecrets('token: the word\n'.repeat(100))).toEqual([])
  })

  it.each([
    ['first lines of keys', joined('-----BEGIN ', 'PRIVATE KEY-----'), 'private-key'],
    ['headers with tokens', ` Authorization: Bearer ${RANDOM.slice(0, 24)}`, 'authorization-header'],
  ])(
    'counts as a secret with very many %s, but is searched to the end with a few hundred',
    (_, piece, rule) => {
      const many = piece.repeat(30_000)
      expect(findSecrets(many).at(-1)).toMatchObject({ rule, end: many.length })
      const few = `${piece.repeat(300)} and so on`
      expect(findSecrets(few).at(-1)?.end ?? 0).toBeLessThan(few.length)
    },
  )
})
