import { common } from "./en/common";
import { data } from "./en/data";
import { screens } from "./en/screens";
import { statistics } from "./en/statistics";
import { table } from "./en/table";

/** English, complete: the catalogue that the others are measured by. */
export const en = { ...common, ...data, ...screens, ...statistics, ...table } as const;
