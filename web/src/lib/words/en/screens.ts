/** Words of the screens around the table: start, rules, settings, replay, guide. */
export const screens = {} as const;
