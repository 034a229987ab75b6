export interface Secret {
  readonly id: string
  readonly alias: string
  readonly type: string
  readonly walletAddress: string
  readonly createdAt: number
}

export const secretsPath = '/api/v1/profile/secrets'
