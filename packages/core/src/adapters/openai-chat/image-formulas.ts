import { defaultImageFormula, type ImageFormula } from "../../wire/image-tokens.ts";

type Row = { readonly ids: string; readonly formula: ImageFormula };

function patches(multiplier: number, limits: { readonly edgeMax?: number; readonly patchesMax: number }): ImageFormula {
  return { kind: "patches", side: 32, multiplier, ...limits };
}

function tiles(base: number, tile: number): ImageFormula {
  return { kind: "tiles", side: 512, edgeMax: 2_048, shortSide: 768, base, tile };
}

const small = { edgeMax: 2_048, patchesMax: 1_536 } as const;
/** More than this the provider refuses; nothing is scaled down. */
const unscaled = { patchesMax: 30_000 } as const;

/** Facts 2.8: images guide, and live counts of 2026-09-25. Ids as in `models.ts`. Detail is `auto` unless the request says `low`. */
const rows: readonly Row[] = [
  { ids: "gpt-6.2-sol gpt-6.2-astra gpt-6.1-sol gpt-6-astra gpt-6.1-terra gpt-6-sol gpt-6-luna", formula: patches(1, unscaled) },
  { ids: "gpt-5.6-sol gpt-5.6-terra gpt-5.6-luna", formula: patches(1, unscaled) },
  { ids: "gpt-5.5 gpt-5.5-2026-04-23", formula: patches(1, { edgeMax: 6_000, patchesMax: 10_000 }) },
  { ids: "gpt-5.4", formula: patches(1, { edgeMax: 2_048, patchesMax: 2_500 }) },
  { ids: "gpt-5.4-mini gpt-5.4-mini-2026-03-17 gpt-5-mini gpt-5-mini-2025-08-07", formula: patches(1.62, small) },
  { ids: "gpt-4.1-mini gpt-4.1-mini-2025-04-14", formula: patches(1.62, small) },
  { ids: "gpt-5.4-nano gpt-5.4-nano-2026-03-17 gpt-5-nano gpt-5-nano-2025-08-07", formula: patches(2.46, small) },
  { ids: "gpt-4.1-nano gpt-4.1-nano-2025-04-14", formula: patches(2.46, small) },
  { ids: "o4-mini o4-mini-2025-04-16", formula: patches(1.72, small) },
  { ids: "gpt-5.2 gpt-5.2-2025-12-11", formula: patches(1, small) },
  { ids: "gpt-5.1 gpt-5.1-2025-11-13 gpt-5 gpt-5-2025-08-07", formula: tiles(70, 140) },
  { ids: "gpt-4.1 gpt-4.1-2025-04-14 gpt-4o gpt-4o-2024-11-20 gpt-4o-2024-08-06", formula: tiles(85, 170) },
  { ids: "gpt-4-turbo gpt-4-turbo-2024-04-09", formula: tiles(85, 170) },
  { ids: "gpt-4o-mini gpt-4o-mini-2024-07-18", formula: tiles(2_833, 5_667) },
  { ids: "o3 o3-2025-04-16 o1 o1-2024-12-17", formula: tiles(75, 150) },
];

/** Claude behind a gateway: facts 1.12. */
const claude: ImageFormula = { kind: "patches", side: 28, edgeMax: 2_576, patchesMax: 4_784 };

const formulas: ReadonlyMap<string, ImageFormula> = new Map(rows.flatMap(({ ids, formula }) => ids.split(" ").map((id) => [id, formula])));

/** How a model counts a picture. */
export function imageFormula(id: string): ImageFormula {
  return formulas.get(id) ?? (id.startsWith("anthropic/") ? claude : defaultImageFormula);
}
