import type { PhraseRule } from './phrase-rule.ts'

/** Texts that redirect something that the user sends. */
export const DIVERSION_RULES: readonly PhraseRule[] = [
  {
    id: 'diverts-traffic',
    severity: 'high',
    reason: 'copies or redirects what the user sends to another recipient',
    harmless: 'quoted',
    negatable: true,
    patterns: [
      'divert & always|must & email|url',
      'email & divert',
      'divert -2 any -2 traffic ~6 =to -3 email|url|identifier|host',
      'any -2 traffic ~8 must|=be ~4 send|divert|tamper|invite ~4 toward -3 email|url|outside|=account|=iban',
      '=route|=send|=pass|=direct -1 any -1 traffic -1 toward -1 =it|=this|=us|=here',
      'send|mirror -4 conversation -3 toward -1 url|email',
      'send -5 =to -1 email',
      'send -1 =a =copy ~6 =to -3 email|url|outside',
      'send|invite ~3 email ~6 any|=always',
      '=also|=always|=must|=should|quietly -2 send|invite ~6 email|url',
      'email|url & any & send|divert|tamper|=invite',
      'payee & tamper|=set & email|url',
      '=grant|=give|=add -4 =role|=access|=admin|=permission|=permissions|=privileges -4 email',
      '=divert|=reroute|=redirect -2 payee|=account',
    ],
  },
  {
    id: 'moves-money',
    severity: 'high',
    reason: 'names an account to send money to',
    harmless: 'quoted',
    negatable: true,
    patterns: ['payaddress & tamper|pay'],
  },
  {
    id: 'tampers-arguments',
    severity: 'medium',
    reason: 'changes who receives something, or how much',
    harmless: 'quoted',
    negatable: true,
    patterns: ['tamper -3 payee', 'payee -1 must|=will|=is ~2 =be -1 tamper'],
  },
]
