export const nameLogFile = (databaseFile: string): string => `${databaseFile}-wal`
