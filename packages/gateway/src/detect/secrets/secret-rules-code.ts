import { crc62 } from '../text/checksums.ts'
import { entropyOf } from '../text/entropy.ts'
import { prefixed, type SecretRule, startingWith } from './secret-rule.ts'

const WORD = '\\w-'
const HEX = 'a-f0-9'

/** Tokens that end in a checksum of themselves: one that fits is certain, one that does not may be a sample. */
function endsInChecksum(token: string): number {
  const body = token.slice(token.indexOf('_') + 1, -6)
  return crc62(body) === token.slice(-6) ? 1 : 0.85
}

/** Forges, registries and build services. */
export const CODE_SECRETS: readonly SecretRule[] = [
  {
    id: 'github-token',
    hints: ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'],
    pattern: startingWith('gh[pousr]_', { min: 36 }),
    confidence: 0.95,
    entropy: 3,
    judge: endsInChecksum,
  },
  prefixed('github-token', 'github_pat_', { of: '\\w', min: 60, max: 100 }),
  {
    id: 'gitlab-token',
    hints: ['glpat-', 'gldt-', 'glft-', 'glsoat-', 'glrt-', 'glrtr-', 'glcbt-', 'glffct-'],
    pattern: startingWith('gl(?:pat|dt|ft|soat|rtr?|cbt|ffct)-', { of: '\\w.-', min: 20, max: 60 }),
    confidence: 0.95,
    entropy: 3,
  },
  prefixed('gitlab-token', 'glimt-', { of: WORD, min: 25 }),
  prefixed('gitlab-token', 'glptt-', { of: WORD, min: 40 }),
  prefixed('gitlab-token', 'glagent-', { of: WORD, min: 50, max: 400 }),
  prefixed('gitlab-token', 'gloas-', { of: WORD, min: 64 }),
  prefixed('gitlab-token', 'GR1348941', { of: WORD, min: 20, max: 60 }),
  {
    id: 'gitlab-session',
    hints: ['_gitlab_session='],
    pattern: /_gitlab_session=([a-z0-9]{32})(?![a-z0-9])/g,
    confidence: 0.9,
    entropy: 2.5,
  },
  {
    id: 'sourcegraph-token',
    hints: ['sgp_'],
    pattern: startingWith('sgp_(?:[a-fA-F0-9]{16}_|local_)?', { of: 'a-fA-F0-9', min: 40 }),
    confidence: 0.95,
    entropy: 2.5,
  },
  prefixed('npm-token', 'npm_', { min: 36 }),
  {
    id: 'npm-token',
    hints: ['_authToken='],
    // The registry is read backwards from the hint: forwards, every slash could be its first.
    pattern: /_authToken=(?<=\/\/[\w.:/-]{3,100}\/:_authToken=)([\w-]{20,80})/g,
    confidence: 0.9,
    entropy: 2.5,
  },
  prefixed('pypi-token', 'pypi-AgEIcHlwaS5vcmc', { of: WORD, min: 50, max: 300 }),
  prefixed('pypi-token', 'pypi-AgENdGVzdC5weXBpLm9yZ', { of: WORD, min: 50, max: 300 }),
  prefixed('rubygems-token', 'rubygems_', { of: HEX, min: 48 }),
  prefixed('cargo-token', 'cio', { min: 32 }),
  prefixed('clojars-token', 'CLOJARS_', { of: 'a-z0-9', min: 60 }),
  prefixed('atlassian-token', 'ATATT3', { of: '\\w=-', min: 150, max: 250 }),
  prefixed('linear-token', 'lin_api_', { min: 40 }),
  prefixed('postman-token', 'PMAK-', { of: 'a-f0-9-', min: 40, max: 64 }),
  prefixed('readme-token', 'rdme_', { of: 'a-z0-9', min: 70 }),
  prefixed('sonar-token', 'squ_', { of: HEX, min: 40 }),
  prefixed('sonar-token', 'sqp_', { of: HEX, min: 40 }),
  {
    id: 'artifactory-token',
    hints: ['AKC', 'AP'],
    pattern: /(?<![A-Za-z0-9])(?:AKC|AP[0-9A-F])[a-z0-9][A-Za-z0-9]{9,120}(?![A-Za-z0-9])/g,
    confidence: 0.6,
    // A whole key is long, and then it is random; a short one is an encrypted password, of any look.
    judge: token => token.length < 40 || entropyOf(token) > 3.5,
  },
  prefixed('artifactory-token', 'cmVmd', { min: 59 }),
]
