import { OptionDefaults } from "typedoc";

/** @type {Partial<import("typedoc").TypeDocOptions>} */
export default {
  entryPoints: ["index", "rawjson", "snapshot/index", "adapter/index", "adapter/verify/index", "kube/index", "v1/index"].map(
    (module) => `src/${module}.ts`,
  ),
  tsconfig: "src/tsconfig.json",
  out: "docs",
  excludeInternal: true,
  blockTags: [...OptionDefaults.blockTags, "@generated"],
  excludeTags: ["@generated"],
  intentionallyNotExported: ["About", "Subject"],
  treatWarningsAsErrors: true,
  logLevel: "Warn",
};
