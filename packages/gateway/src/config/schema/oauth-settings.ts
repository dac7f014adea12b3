/** How the gateway gets the tokens that a server wants to see. */
export interface OAuthSettings {
  /** `authorization_code`: a person signs in once. `client_credentials`: the gateway has a secret of its own. */
  readonly grant: 'authorization_code' | 'client_credentials'
  /** Absent: the gateway registers itself. */
  readonly clientId?: string
  readonly clientSecret?: string
  /** An https address of a document that describes us, for servers that take that in place of a registration. */
  readonly clientMetadataUrl?: string
  readonly scope?: string
  /**
   * The only authorization server that the client and its tokens are for; always there with a secret of the config.
   * Absent: whichever the server names.
   */
  readonly issuer?: string
}
