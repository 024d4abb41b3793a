import { common } from "./en/common";
import { data } from "./en/data";
import { refusals } from "./en/refusals";
import { rulings } from "./en/rulings";
import { screens } from "./en/screens";
import { statistics } from "./en/statistics";
import { table } from "./en/table";

/** The complete English catalogue; other languages are checked against it. */
export const en = { ...common, ...data, ...refusals, ...rulings, ...screens, ...statistics, ...table } as const;
