import { isJsonHead } from '../text/json-head.ts'
import { prefixed, type SecretRule, startingWith } from './secret-rule.ts'

const WORD = '\\w-'
const HEX = 'a-f0-9'

/** Models. */
export const MODEL_SECRETS: readonly SecretRule[] = [
  {
    id: 'openai-key',
    hints: ['T3BlbkFJ'],
    pattern: /(?<=(?<![A-Za-z0-9])(?<head>sk-[\w-]{16,120}))T3BlbkFJ[\w-]{16,120}/g,
    confidence: 0.95,
    entropy: 3,
  },
  {
    id: 'anthropic-key',
    hints: ['sk-ant-'],
    pattern: startingWith('sk-ant-(?:api|admin|oat|sid)\\d{2}-', { of: WORD, min: 80, max: 120 }),
    confidence: 0.95,
    entropy: 3,
    judge: key => key.endsWith('AA'),
  },
  prefixed('openrouter-key', 'sk-or-v1-', { of: HEX, min: 64 }),
  prefixed('huggingface-token', 'hf_', { of: 'a-zA-Z', min: 34 }),
  prefixed('huggingface-token', 'api_org_', { of: 'a-zA-Z', min: 34 }),
  prefixed('perplexity-key', 'pplx-', { min: 48 }),
  prefixed('groq-key', 'gsk_', { min: 52 }),
  prefixed('xai-key', 'xai-', { min: 80 }),
  prefixed('replicate-token', 'r8_', { min: 37 }),
]

/** Formats that belong to nobody in particular, and our own. */
export const GENERAL_SECRETS: readonly SecretRule[] = [
  {
    id: 'json-web-token',
    hints: ['eyJ'],
    pattern: /(?<![\w-])eyJ[\w-]{10,2000}\.eyJ[\w-]{10,4000}(?:\.[\w-]{10,1000})?/g,
    confidence: 0.9,
    judge: token => token.split('.', 2).every(isJsonHead),
  },
  {
    id: 'json-web-token',
    hints: ['ZXlK'],
    pattern: /(?<![A-Za-z0-9])ZXlK[A-Za-z0-9+/]{60,4000}={0,2}/g,
    confidence: 0.85,
    judge: token =>
      isJsonHead(Buffer.from(token.slice(0, 400), 'base64').toString('latin1').split('.', 1)[0] ?? ''),
  },
  {
    id: '1password-token',
    hints: ['ops_eyJ'],
    pattern: startingWith('ops_eyJ', { of: 'A-Za-z0-9+/=', min: 250, max: 2000 }),
    confidence: 0.95,
    entropy: 4,
  },
  {
    id: '1password-key',
    hints: ['A3-'],
    pattern:
      /(?<![A-Za-z0-9])A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}(?![A-Za-z0-9])/g,
    confidence: 0.9,
    entropy: 3.8,
  },
  {
    id: 'age-key',
    hints: ['AGE-SECRET-KEY-1'],
    pattern: /AGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}/g,
    confidence: 0.95,
  },
  prefixed('hintgate-token', 'hg_agent_', { of: WORD, min: 40, max: 60 }),
  prefixed('hintgate-token', 'hg_admin_', { of: WORD, min: 40, max: 60 }),
]
