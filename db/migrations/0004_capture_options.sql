-- What the visitor asked for besides the address. Kept as it was asked: a retry asks the same.

alter table evidence
  add column scenario text,
  add column close_cookies boolean not null default false,
  -- the recipe whole, as it stood when it was chosen: a later change of the recipe changes no capture that waits
  add column scenario_recipe text check (length(scenario_recipe) <= 65536),
  -- values of the recipe's input fields, by name
  add column scenario_input jsonb,
  add constraint evidence_scenario_whole check ((scenario is null) = (scenario_recipe is null) and (scenario is null) = (scenario_input is null));
