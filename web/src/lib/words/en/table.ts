/** Words of the table: the game itself, its log, its end. */
export const table = {} as const;
