-- Health of a child Application, as the waves of its parent need it.
--
-- The verdict that Argo CD writes into status.health is not enough: since v3.4 it passes over objects that are not
-- there yet (argo-cd#27917), it may be that of an older spec (argo-cd#5585), and a source that cannot be rendered
-- does not touch it (argo-cd#6507). Everything that is not finished is Progressing: a Degraded child would fail
-- the parent's sync at once.

local function waiting(message)
  return { status = "Progressing", message = message }
end

-- nil, false, "", 0 and tables of such values: what Argo CD leaves out when it writes a source down.
local function empty(value)
  if type(value) ~= "table" then
    return value == nil or value == false or value == "" or value == 0
  end
  for _, inner in pairs(value) do
    if not empty(inner) then
      return false
    end
  end
  return true
end

local function same(a, b)
  if empty(a) or empty(b) then
    return empty(a) and empty(b)
  end
  if type(a) ~= "table" or type(b) ~= "table" then
    return a == b
  end
  for key, value in pairs(a) do
    if not same(value, b[key]) then
      return false
    end
  end
  for key, value in pairs(b) do
    if a[key] == nil and not empty(value) then
      return false
    end
  end
  return true
end

local spec = obj.spec or {}
local status = obj.status or {}
local sync = status.sync or {}
local health = status.health or {}
local operation = status.operationState or {}
local compared = sync.comparedTo or {}
local broken = { ComparisonError = true, InvalidSpecError = true, SyncError = true, UnknownError = true }

if health.status == nil then
  return waiting("not compared with its source yet")
end

for _, condition in ipairs(status.conditions or {}) do
  if broken[condition.type] then
    return waiting(condition.type .. ": " .. (condition.message or ""))
  end
end

if not same(spec.sources, compared.sources) or not same(spec.source, compared.source) then
  return waiting("not compared with its newest source yet")
end

if obj.operation ~= nil or operation.phase == "Running" then
  return waiting("syncing: " .. (operation.message or "just started"))
end

if operation.phase == "Failed" or operation.phase == "Error" then
  return waiting("the last sync failed: " .. (operation.message or "no message"))
end

if sync.status ~= "Synced" then
  return waiting("is " .. (sync.status or "Unknown"))
end

if health.status ~= "Healthy" then
  return waiting("is " .. health.status .. ": " .. (health.message or "no message"))
end

return { status = "Healthy", message = health.message or "" }
