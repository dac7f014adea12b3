/**
 * Returns a language tag that Intl accepts. Some browsers report the operating system's language as it is, such as
 * `en-US@posix`, which Intl rejects. The chart library passes the browser's language to Intl when it is loaded, and has
 * no option to change that.
 */
export function toUsableLanguage(language: string): string {
  const tag = language.replace(/[@.].*$/, '').replaceAll('_', '-')
  return [language, tag].find(isLanguage) ?? 'en-US'
}

/** Corrects `navigator.language`. It must be called before any library is loaded that passes this value to Intl. */
export function fixLanguage(navigator: { readonly language: string }): void {
  const usable = toUsableLanguage(navigator.language)
  if (usable !== navigator.language)
    Object.defineProperty(navigator, 'language', { value: usable, configurable: true })
}

function isLanguage(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1
  } catch {
    return false
  }
}
