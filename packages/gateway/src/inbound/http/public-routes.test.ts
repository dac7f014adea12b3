import { describe, expect, it } from 'vitest'
import { findPublicRoute } from './public-routes.ts'

const METADATA = '/.well-known/oauth-protected-resource'
const OAUTH = { resource: 'https://mcp.example', issuers: [] }

const isOpen = (path: string, oauth?: typeof OAUTH): boolean =>
  findPublicRoute(path, { oauth: () => oauth }) !== undefined

describe('without a credential', () => {
  it.each([
    '/healthz',
    '/oauth/callback',
    '/oidc/start',
    '/oidc/callback',
    '/api/v1/sign-in',
    '/',
    '/favicon.svg',
    '/service-worker.js',
    '/assets/index-1.js',
    '/notify/answer/sealed',
    '/notify/slack/chat',
  ])('%s is answered', path => {
    expect(isOpen(path)).toBe(true)
  })

  it.each([
    '/mcp',
    '/mcp/direct',
    '/mcp/servers/healthz',
    '/readyz',
    '/metrics',
    '/api/v1/me',
    '/api/v1/events',
    '/api/v1/sign-in/',
    '/api/v1/sign-out',
    '/healthz/',
    '/HEALTHZ',
    '//healthz',
    '/oauth/callback/x',
    '/oidc/',
    '/assets',
    '/notify',
    '/notify/',
    '/notify/other',
    '',
  ])('%j is refused', path => {
    expect(isOpen(path, OAUTH)).toBe(false)
  })

  it('OAuth metadata is served if there is any, and only for MCP paths', () => {
    for (const path of [METADATA, `${METADATA}/mcp`, `${METADATA}/mcp/servers/crm`]) {
      expect(isOpen(path, OAUTH), path).toBe(true)
      expect(isOpen(path), path).toBe(false)
    }
    for (const path of [`${METADATA}/`, `${METADATA}/api/v1/me`, `${METADATA}x`])
      expect(isOpen(path, OAUTH), path).toBe(false)
  })
})
