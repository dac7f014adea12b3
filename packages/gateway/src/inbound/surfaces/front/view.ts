/** Which servers an endpoint shows. Callers see those of them that their scope includes. */
export interface View {
  showsServer(server: string): boolean
}

export const EVERY_SERVER: View = { showsServer: () => true }
