const SECRETIVE =
  /pass(?:w(?:or)?d|phrase|code)|(?:^|[_-])pass$|secret|token|credential|authori[sz]ation|^auth$|bearer|cookie|api[_-]?key|(?:private|access|signing|encryption)[_-]?key|(?:^|[_-])(?:pwd|pin|otp|cvv|cvc|ssn)$/i

/** Whether whatever has this name is a secret: an argument, a setting, a switch of a program. */
export function namesSecret(name: string): boolean {
  return SECRETIVE.test(name)
}
